namespace CoAP.Measurements.Profiles;

/// <summary>A part of the request path.</summary>
/// <param name="Part">Such as "kernel" or "codec".</param>
/// <param name="Detail">What of it; empty where it is not divided.</param>
internal readonly record struct Share(string Part, string Detail);
