namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>Where the bytes go to or come from.</summary>
public enum StreamEnd
{
    /// <summary><see cref="System.IO.Stream.Null"/>; takes bytes only.</summary>
    Null,

    /// <summary>A <see cref="System.IO.MemoryStream"/> over an array that is large enough.</summary>
    Memory,

    /// <summary>A TCP connection over loopback with a thread at the other end.</summary>
    Socket,
}
