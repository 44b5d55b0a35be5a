// Package zmtp is what a kernel for Jupyter needs of ZeroMQ: sockets that listen for peers and
// exchange messages with them, each a list of frames, by the ZeroMQ Message Transport Protocol
// 3.0 (https://rfc.zeromq.org/spec/23) without encryption.
//
//	s, err := zmtp.Listen(zmtp.Router, zmtp.TCP(address))
//	frames, err := s.Receive() // the first is the identity of the peer
//	s.Send(frames)             // goes to the peer that the first frame names
//
// Addresses are numbers, not names of hosts, so that no program with this package has to carry
// a resolver of names.
package zmtp
