package chunk_test

import (
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }
