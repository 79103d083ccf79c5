package pkgformat

import "tribunal/judge/internal/problem"

// readKattis reads the Kattis formats, which have problem.yaml and data/.
func (p *Package) readKattis() error {
	m, err := p.readMetadata()
	if err != nil {
		return err
	}
	p.InputProtocol = problem.ICPC
	for _, read := range []func() error{
		func() error { return p.readDialect(p.given, m) },
		p.readTiming, p.checkNames, p.readStatements,
		func() error { return p.readPrograms(m) },
		p.generate,
		func() error { return p.readData(m) },
		p.readSubmissions,
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}
