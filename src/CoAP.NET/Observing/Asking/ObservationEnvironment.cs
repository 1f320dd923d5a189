using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>The settings, clock, logger and runtime of all observations of an endpoint.</summary>
internal sealed record ObservationEnvironment(
    ClientObservationSettings Settings, TimeProvider Time, EndpointLog Log, EndpointRuntime Runtime);
