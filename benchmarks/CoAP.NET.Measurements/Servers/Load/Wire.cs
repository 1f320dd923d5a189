using System.Text;

namespace CoAP.Measurements.Servers.Load;

/// <summary>A service as the client's bytes: what is sent, and where an answer ends.</summary>
internal abstract class Wire
{
    protected const string Text = "a line of thirty-one characters";

    /// <summary>The line protocol: a line comes back reversed.</summary>
    public static Wire Line { get; } = new LineWire();

    /// <summary>CoAP over TCP (RFC 8323).</summary>
    public static Wire Coap { get; } = new CoapWire();

    /// <summary>What a connection begins with.</summary>
    public virtual byte[] Greeting => [];

    /// <summary>The request that the reverse of the text answers.</summary>
    public abstract byte[] Reverse { get; }

    /// <summary>The reverse of the text.</summary>
    public static byte[] Reversed { get; } = [.. Encoding.ASCII.GetBytes(Text).Reverse()];

    /// <summary>The length of the first answer in the bytes, 0 where it is not whole yet. Signals are no answers.</summary>
    public abstract int Cut(ReadOnlySpan<byte> bytes, out bool isAnswer);

    /// <summary>Whether an answer is a good one, with the reversed text in it where that was asked for.</summary>
    public abstract bool IsGood(ReadOnlySpan<byte> answer, bool isReverse);

    private sealed class LineWire : Wire
    {
        public override byte[] Reverse { get; } = Encoding.ASCII.GetBytes(Text + "\n");

        public override int Cut(ReadOnlySpan<byte> bytes, out bool isAnswer)
        {
            isAnswer = true;
            return bytes.IndexOf((byte)'\n') + 1;
        }

        public override bool IsGood(ReadOnlySpan<byte> answer, bool isReverse) => answer[..^1].SequenceEqual(Reversed);
    }
}
