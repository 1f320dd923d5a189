namespace CoAP.Mesh;

/// <summary>The datagrams of a lane of an endpoint that has a security layer.</summary>
internal enum LaneTraffic
{
    /// <summary>Plain and secured ones: the lane of a client, or of an in-memory endpoint.</summary>
    Any,

    /// <summary>Plain ones.</summary>
    Plain,

    /// <summary>Secured ones.</summary>
    Secured,
}
