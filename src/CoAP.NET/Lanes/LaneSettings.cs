using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>What a lane itself needs: its clock and its log.</summary>
internal sealed record LaneSettings(TimeProvider Time, ILogger Logger);
