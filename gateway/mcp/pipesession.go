package mcp

import (
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// pipeSession is what the library needs to send notices of its own about a
// message that came over a pipe. It lives as long as the message.
type pipeSession struct{ notices chan mcp.JSONRPCNotification }

var _ server.ClientSession = (*pipeSession)(nil)

func newPipeSession() *pipeSession {
	return &pipeSession{make(chan mcp.JSONRPCNotification, maxInFlight)}
}

// Initialize does nothing: each message stands for itself.
func (*pipeSession) Initialize() {}

// Initialized reports that notices may be sent.
func (*pipeSession) Initialized() bool { return true }

// SessionID names the pipe, which has one other end.
func (*pipeSession) SessionID() string { return "pipe" }

// NotificationChannel takes notices; when it is full the library drops them.
func (s *pipeSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notices }

// drain sends what the library has said about the message, before its answer.
func (s *pipeSession) drain(send func([]byte)) {
	for {
		select {
		case n := <-s.notices:
			send(mustEncode(n))
		default:
			return
		}
	}
}
