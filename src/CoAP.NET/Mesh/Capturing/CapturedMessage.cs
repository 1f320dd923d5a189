namespace CoAP.Mesh;

/// <summary>A message that waits to be written to a capture.</summary>
/// <param name="Key">The peer and the local address.</param>
/// <param name="Bytes">An array of the pool.</param>
/// <param name="Length">The number of bytes that are used.</param>
/// <param name="Time">The time of the message by the clock of its endpoint.</param>
/// <param name="IsSent">Whether the endpoint sent it; otherwise it received it.</param>
/// <param name="IsReliable">Whether it belongs to a connection.</param>
/// <param name="IsClient">Whether the endpoint is a client, which opens its connections.</param>
internal readonly record struct CapturedMessage(
    ChannelKey Key, byte[] Bytes, int Length, DateTimeOffset Time, bool IsSent, bool IsReliable, bool IsClient)
{
    public ReadOnlyMemory<byte> Content => Bytes.AsMemory(0, Length);
}
