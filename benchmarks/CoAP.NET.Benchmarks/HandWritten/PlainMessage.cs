namespace CoAP.Benchmarks;

/// <summary>A message as one would write it for a single program: fields over an array that the message owns.</summary>
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
