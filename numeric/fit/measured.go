package fit

import (
	"context"
	"sync"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/numeric/fit/internal/pose"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// measurement is the criteria at a λ that was given. They take longer than the minimiser, and most who give λ do not
// ask for them: they are computed when somebody does, once for all copies of a report.
type measurement struct {
	at      problem.Penalty
	density float64 // see logDensity

	mutex   sync.Mutex
	setting *problem.Setting // what the problem was posed of; nil once it was measured
	seal    seal             // of its data
	part    bool             // of the data, on landmarks
	sheet   criteria.Sheet
}

// of is a measurement for a problem that was posed of a setting.
func (m *measurement) of(s *problem.Setting) {
	m.setting, m.seal, m.part = s, sealOf(s.Data), s.OnLandmarks
}

// take measures, unless that was done before. The problem is posed anew: the factors of the fit would take memory as
// long as the estimate lives. A measurement that ends with its context is begun anew by whoever asks next.
func (m *measurement) take(ctx context.Context) (criteria.Sheet, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.setting == nil {
		return m.sheet, nil
	}
	if err := m.seal.check(m.setting.Data); err != nil {
		return m.sheet, err
	}
	p, err := pose.New(ctx, m.setting)
	if err != nil {
		return m.sheet, err
	}
	v, err := p.Measure(ctx, m.at)
	if err == nil {
		m.setting, m.sheet = nil, v
	}
	return v, err
}
