namespace CoAP.Benchmarks;

/// <summary>The form of a message on the wire.</summary>
public enum WireForm
{
    /// <summary>RFC 7252, section 3.</summary>
    Datagram,

    /// <summary>RFC 8323, section 3.2.</summary>
    Stream,
}

/// <summary>The stream that bytes go to or come from.</summary>
public enum StreamEnd
{
    /// <summary><see cref="System.IO.Stream.Null"/>, for writing only.</summary>
    Null,

    /// <summary>A <see cref="System.IO.MemoryStream"/> over an array that is large enough.</summary>
    Memory,

    /// <summary>A TCP connection over loopback with a thread at the other end.</summary>
    Socket,
}

/// <summary>One message and its way.</summary>
internal readonly record struct GridCell(int Options, int Payload, int ValueLength, WireForm Form, StreamEnd End)
{
    /// <summary>Whether the cell is on the diagonal or in a corner of the grid.</summary>
    public bool IsMarked => Options == Payload || (Options, Payload) is (0, 131_072) or (131_072, 0);
}
