package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

func memory(n int) []byte { return make([]byte, n) }

// samples are the kinds of data that files of numbers hold, and extremes of matches.
func samples(r *rand.Rand, n int) map[string][]byte {
	floats, noise, words := make([]byte, 0, n), make([]byte, n), make([]byte, n)
	for i := 0; len(floats) < n; i++ {
		floats = binary.LittleEndian.AppendUint64(floats, math.Float64bits(math.Sin(float64(i)/50)+1e-3*r.NormFloat64()))
	}
	for i := range noise {
		noise[i] = byte(r.Uint32())
		words[i] = "0123456789.,e-\n"[min(r.IntN(15), r.IntN(40)%15)]
	}
	short := make([]byte, n) // runs with all periods from 1 on
	for i := range short {
		if period := 1 + i>>9; i >= period && r.IntN(40) > 0 {
			short[i] = short[i-period]
			continue
		}
		short[i] = byte(r.Uint32())
	}
	skewed := make([]byte, n) // codes of all lengths up to 15
	for i := range skewed {
		skewed[i] = byte(-math.Log2(r.Float64()) * 1.5)
	}
	return map[string][]byte{"floats": floats[:n], "noise": noise, "words": words, "zeros": make([]byte, n), "periods": short, "skewed": skewed}
}

func deflated(t testing.TB, data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(data[:len(data)/3])
	}
	if err == nil {
		err = w.Flush() // an empty stored block within
	}
	if err == nil {
		_, err = w.Write(data[len(data)/3:])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every kind of data at every level is what went in: in one piece, in pieces of all sizes,
// and with what follows in the file left alone.
func TestInflates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := new(Stream)
	for _, n := range []int{0, 1, 7, 300, 5000, 100_000} {
		for name, data := range samples(r, n) {
			for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
				src := deflated(t, data, level)
				out, read, err := s.All(context.Background(), append(src, "and more"...), n, memory, nil)
				if err != nil || !bytes.Equal(out, data) || read != len(src) {
					t.Fatalf("%s, %d bytes, level %d: %v, used %d of %d", name, n, level, err, read, len(src))
				}
				out = make([]byte, n)
				s.Reset(src)
				for at := 0; !s.Done(); {
					next, err := s.Next(out[:min(n, at+1+r.IntN(700))], at)
					if err != nil || next == at && at == n && !s.Done() {
						t.Fatalf("%s in pieces, level %d, at %d: %v", name, level, at, err)
					}
					at = next
				}
				if !bytes.Equal(out, data) {
					t.Fatalf("%s in pieces, level %d: other data", name, level)
				}
			}
		}
	}
}

// agrees compares with the standard library: the same data, or an error from both.
func agrees(t *testing.T, src []byte) {
	t.Helper()
	const most = 1 << 20
	want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(src)), most+1))
	if len(want) > most {
		return
	}
	got, _, err := new(Stream).All(context.Background(), src, most, memory, nil)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%x: %v, the standard library says %v", src, err, wantErr)
	}
	if err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%x: other data than the standard library's", src)
	}
}

// Damaged data give what the standard library gives: an error, or the same wrong data.
func TestDamagedLikeTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, data := range samples(r, 1500) {
		for _, level := range []int{flate.HuffmanOnly, 0, 6} {
			src := deflated(t, data, level)
			for range 40 {
				bad := bytes.Clone(src)
				for range 1 + r.IntN(3) {
					bad[r.IntN(min(len(bad), 1+r.IntN(len(bad))))] ^= 1 << r.IntN(8)
				}
				agrees(t, bad)
				agrees(t, bad[:r.IntN(len(bad))])
			}
			agrees(t, src[:len(src)-1])
			_ = name
		}
	}
	for range 3000 { // blocks that begin at random
		agrees(t, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte{5}, r.Uint64()), r.Uint64()))
	}
}

func FuzzInflate(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, data := range samples(r, 300) {
		f.Add(deflated(f, data, 6))
		f.Add(deflated(f, data, flate.HuffmanOnly))
	}
	f.Fuzz(agrees)
}

func TestZlib(t *testing.T) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	data := bytes.Repeat([]byte("green "), 100_000)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := new(Stream)
	ctx := context.Background()
	if out, err := s.Zlib(ctx, b.Bytes(), len(data), memory); err != nil || !bytes.Equal(out, data) {
		t.Fatal(err)
	}
	wrong := bytes.Clone(b.Bytes())
	wrong[len(wrong)-1] ^= 1
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		src  []byte
		size int
		want error
	}{
		{ctx, wrong, len(data), ErrChecksum},
		{ctx, b.Bytes()[:b.Len()-2], len(data), ErrTruncated},
		{ctx, b.Bytes()[:20], len(data), ErrTruncated},
		{ctx, b.Bytes(), len(data) - 1, ErrLonger},
		{ctx, []byte("no"), 2, errNoZlib},
		{ctx, nil, 2, ErrTruncated},
		{ended, b.Bytes(), len(data), context.Canceled},
	} {
		if _, err := s.Zlib(c.ctx, c.src, c.size, memory); !errors.Is(err, c.want) {
			t.Errorf("%d bytes: %v, want %v", len(c.src), err, c.want)
		}
	}
}

// A promise of what is not there takes no memory.
func TestPromises(t *testing.T) {
	asked := 0
	room := func(n int) []byte { asked += n; return make([]byte, n) }
	src := deflated(t, make([]byte, 100), 6)
	out, _, err := new(Stream).All(context.Background(), src, 1<<40, room, nil)
	if err != nil || len(out) != 100 || asked > 2*piece {
		t.Errorf("%v, %d bytes, %d asked for", err, len(out), asked)
	}
}

func BenchmarkInflate(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, data := range samples(r, 8<<20) {
		src := deflated(b, data, 6)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			s, out := new(Stream), make([]byte, len(data))
			for b.Loop() {
				if _, _, err := s.All(context.Background(), src, len(data), func(int) []byte { return out }, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/standard", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := io.Copy(io.Discard, flate.NewReader(bytes.NewReader(src))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
