# The judge with the languages of runner.yaml. Made by judge ci docker; change it freely.
#
#   docker build -t judge .
#   docker run --rm --privileged --cgroupns=private -v "$PWD:/repository" judge verify
#
# Without --privileged the judge has no containers of its own and hardly isolates (docs/threat-model.md).
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go install ./judge ./judge/judged

FROM debian:12-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      bash \
      default-jdk-headless \
      fp-compiler \
      g++ \
      gawk \
      gcc \
      ghc \
      kotlin \
      libmono-system-numerics4.0-cil \
      lua5.4 \
      mawk \
      mono-mcs \
      nodejs \
      npm \
      ocaml-nox \
      perl \
      pypy3 \
      python3 \
      ruby \
      rustc \
 && rm -rf /var/lib/apt/lists/*
RUN npm install -g typescript @types/node
COPY --from=build /usr/local/go /usr/local/go
COPY --from=build /go/bin/ /usr/local/bin/
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    TRIBUNAL_CACHE=/var/cache/tribunal
VOLUME ["/var/cache/tribunal"]
WORKDIR /repository
ENTRYPOINT ["judge"]
CMD ["verify"]
