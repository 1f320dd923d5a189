using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>The settings, clock and logger of all observations of an endpoint.</summary>
internal sealed record ObservationEnvironment(ClientObservationSettings Settings, TimeProvider Time, EndpointLog Log, NetworkScheduler? Scheduler = null);
