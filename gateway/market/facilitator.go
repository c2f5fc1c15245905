package market

// FacilitatorPart names the facilitator among the components.
const FacilitatorPart = "facilitator"

// askFacilitator asks a question that moves nothing, unless the facilitator did
// not answer the last ones; lost says of an error that it did not.
func (s *Service) askFacilitator(ask func() error, lost func(error) bool) error {
	return s.mesh.Incidents().Breaker(FacilitatorPart).Do(ask, lost)
}
