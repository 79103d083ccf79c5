# verdict: AC
# why: a program reaches neither a service of the host nor an outside address, and is refused at once
import os
import socket

def attempt(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(3)
        s.connect(address)
        print("broke: connected to", address)
        os._exit(0)

# An outside address is tried only in a jail, where no packet can leave.
addresses = [(socket.AF_INET, ("127.0.0.1", port)) for port in (22, 80, 111, 443, 4222, 8080)]
addresses.append((socket.AF_INET6, ("::1", 22)))
if not os.path.exists("/etc/passwd"):
    addresses.append((socket.AF_INET, ("192.0.2.1", 53)))
for family, address in addresses:
    try:
        attempt(family, address)
    except OSError as e:
        if isinstance(e, TimeoutError):
            print("broke: a packet left for", address)
            os._exit(0)
try:
    socket.create_server(("127.0.0.1", 0))
    print("broke: listening")
except OSError:
    print("held")
