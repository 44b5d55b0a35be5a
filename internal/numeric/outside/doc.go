// Package outside says where estimates are asked for values so far from their data that they are known from nothing.
package outside
