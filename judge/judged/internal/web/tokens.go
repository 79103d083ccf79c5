package web

import (
	"context"
	"strings"
	"time"
	"unicode"

	"tribunal/judge/judged/internal/access"
)

// TokenInfo is a token without its secret.
type TokenInfo struct {
	ID      string     `json:"id"`
	Name    string     `json:"name" doc:"what it is used for"`
	Owner   string     `json:"owner" doc:"who sends the requests with it"`
	Scopes  []string   `json:"scopes"`
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires,omitempty"`
	Revoked *time.Time `json:"revoked,omitempty"`
}

func tokenInfo(e *access.Entry) TokenInfo {
	t := TokenInfo{ID: e.ID, Name: e.Name, Owner: e.Owner, Created: e.Created, Expires: optional(e.Expires), Revoked: optional(e.Revoked), Scopes: []string{}}
	for _, s := range e.Scopes {
		t.Scopes = append(t.Scopes, string(s))
	}
	return t
}

type TokenList struct {
	Tokens []TokenInfo `json:"tokens"`
}

type tokensOutput struct{ Body TokenList }

func (w *Web) listTokens(ctx context.Context, _ *struct{}) (*tokensOutput, error) {
	list, err := w.o.Tokens.List(ctx)
	if err != nil {
		return nil, err
	}
	out := &tokensOutput{TokenList{make([]TokenInfo, len(list))}}
	for i := range list {
		out.Body.Tokens[i] = tokenInfo(&list[i])
	}
	return out, nil
}

// Grant is a request to make a token: its owner, scopes and lifetime.
type Grant struct {
	Name    string    `json:"name" minLength:"1" maxLength:"100" doc:"what it is used for"`
	Owner   string    `json:"owner" minLength:"1" maxLength:"100" doc:"who sends the requests with it, such as a course or a person"`
	Scopes  []string  `json:"scopes" minItems:"1" enum:"submit,read,problems,rejudge,admin"`
	Expires time.Time `json:"expires,omitzero" doc:"by default never"`
}

// NewToken is a token that has just been made.
type NewToken struct {
	Token string `json:"token" doc:"the secret, which is stored nowhere"`
	TokenInfo
}

type createTokenInput struct{ Body Grant }

type createTokenOutput struct{ Body NewToken }

func (w *Web) createToken(ctx context.Context, in *createTokenInput) (*createTokenOutput, error) {
	g := access.Grant{Name: in.Body.Name, Owner: in.Body.Owner, Expires: in.Body.Expires}
	for field, text := range map[string]string{"name": g.Name, "owner": g.Owner} {
		if len(text) > 100 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil, wrong(field, "want 1 to 100 bytes of printable text")
		}
	}
	var err error
	if g.Scopes, err = access.ParseScopes(strings.Join(in.Body.Scopes, ",")); err != nil {
		return nil, wrong("scopes", "%v", err)
	}
	if !g.Expires.IsZero() && !g.Expires.After(w.o.Now()) {
		return nil, wrong("expires", "want a time in the future")
	}
	if g.Expires.UTC().Year() > 9999 {
		return nil, wrong("expires", "want a year with four digits")
	}
	token, entry, err := w.o.Tokens.Issue(ctx, g)
	if err != nil {
		return nil, err
	}
	about(ctx, entry.ID)
	return &createTokenOutput{NewToken{Token: token, TokenInfo: tokenInfo(&entry)}}, nil
}

type revokeTokenInput struct {
	ID string `path:"id" maxLength:"64"`
}

func (w *Web) revokeToken(ctx context.Context, in *revokeTokenInput) (*struct{}, error) {
	about(ctx, in.ID)
	return nil, w.o.Tokens.Revoke(ctx, in.ID)
}
