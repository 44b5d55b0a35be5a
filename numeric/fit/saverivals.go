package fit

import (
	"encoding/json"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/written"
)

// savedRivals is what a file says of the rivals of a kernel: the fits with them are made anew, from the data in the file.
type savedRivals struct {
	Bias      json.RawMessage `json:"bias,omitempty"` // as given; empty: that of each kernel
	Criterion Criterion       `json:"criterion"`
	Rho       float64         `json:"rho,omitempty"` // as given; 0: chosen
	Of        []savedRival    `json:"of"`
}

type savedRival struct {
	Kernel json.RawMessage `json:"kernel"`
	Share  float64         `json:"share"`
	Ratio  float64         `json:"ratio"`
}

// saved are rivals as a file has them.
func (r *rivals) saved() (h *savedRivals, err error) {
	h = &savedRivals{Criterion: r.spec.Criterion, Rho: r.spec.Rho}
	if r.spec.Bias != nil {
		if h.Bias, err = written.MarshalKernel(r.spec.Bias); err != nil {
			return nil, err
		}
	}
	for _, own := range r.of {
		s := savedRival{Share: own.share, Ratio: own.ratio}
		if s.Kernel, err = written.MarshalKernel(own.kernel); err != nil {
			return nil, err
		}
		h.Of = append(h.Of, s)
	}
	return h, nil
}

// rivals are those of an estimate of a file, which was learned with a spec.
func (h *savedRivals) rivals(s Spec) (r *rivals, err error) {
	r = &rivals{spec: s}
	r.spec.Lambda, r.spec.Rho, r.spec.Criterion, r.spec.Bias = 0, h.Rho, h.Criterion, nil
	if h.Bias != nil {
		if r.spec.Bias, err = written.UnmarshalKernel(h.Bias); err != nil {
			return nil, fmt.Errorf("bias of another kernel: %w", err)
		}
	}
	for _, own := range h.Of {
		k, err := written.UnmarshalKernel(own.Kernel)
		if err != nil {
			return nil, fmt.Errorf("another kernel: %w", err)
		}
		r.of = append(r.of, rival{k, own.Share, own.Ratio})
	}
	return r, nil
}
