using Microsoft.Extensions.Logging;

namespace CoAP.Observing;

/// <summary>What all observations of an endpoint have in common.</summary>
internal sealed record ObservationEnvironment(ObservationSettings Settings, TimeProvider Time, ILogger Logger);
