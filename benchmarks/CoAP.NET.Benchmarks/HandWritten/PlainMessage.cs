namespace CoAP.Benchmarks;

/// <summary>What one would write for a single program: the fields of a message over an array that the message owns.</summary>
internal sealed class PlainMessage
{
    public byte Type;
    public byte Code;
    public byte TokenLength;
    public ushort MessageId;
    public ulong Token;
    public required byte[] Bytes;
    public required PlainOption[] Options;
    public int PayloadStart;

    public ReadOnlySpan<byte> Payload => Bytes.AsSpan(PayloadStart);

    public ReadOnlySpan<byte> Value(in PlainOption option) => Bytes.AsSpan(option.Start, option.Length);
}

internal struct PlainOption
{
    public ushort Number;
    public ushort Length;
    public int Start;
}
