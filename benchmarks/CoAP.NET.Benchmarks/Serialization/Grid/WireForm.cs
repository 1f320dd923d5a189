namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>How the message travels.</summary>
public enum WireForm
{
    /// <summary>RFC 7252, section 3.</summary>
    Datagram,

    /// <summary>RFC 8323, section 3.2.</summary>
    Stream,
}
