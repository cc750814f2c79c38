package model

import "dugout/sessionio"

// Price fills in Usage.Cost from a model's prices.
func Price(u sessionio.Usage, m Info) sessionio.Usage {
	cost := func(tokens int, perMillion float64) float64 { return float64(tokens) * perMillion / 1e6 }
	u.Cost = sessionio.Cost{
		Input:      cost(u.Input, m.InputPrice),
		Output:     cost(u.Output, m.OutputPrice),
		CacheRead:  cost(u.CacheRead, m.CacheReadPrice),
		CacheWrite: cost(u.CacheWrite, m.CacheWritePrice),
	}
	u.Cost.Total = u.Cost.Input + u.Cost.Output + u.Cost.CacheRead + u.Cost.CacheWrite
	return u
}
