using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The settings of a lane.</summary>
internal sealed record LaneSettings(TimeProvider Time, EndpointLog Log);
