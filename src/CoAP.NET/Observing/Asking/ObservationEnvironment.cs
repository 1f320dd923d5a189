using Microsoft.Extensions.Logging;

namespace CoAP.Observing;

/// <summary>The settings, clock and logger of all observations of an endpoint.</summary>
internal sealed record ObservationEnvironment(ClientObservationSettings Settings, TimeProvider Time, ILogger Logger);
