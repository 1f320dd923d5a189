namespace CoAP.Benchmarks.Load;

/// <summary>How fast an attacker sends.</summary>
internal enum Pace
{
    /// <summary>Thousands of datagrams a second, and as many bytes as connections take.</summary>
    Fast,

    /// <summary>Tens of messages a second in all, at an even rate, so that no queue is ever full.</summary>
    Slow,
}
