using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>The settings of a lane.</summary>
internal sealed record LaneSettings(TimeProvider Time, ILogger Logger);
