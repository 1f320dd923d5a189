using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Signaling;

/// <summary>Signals as bytes, and the times of the tests.</summary>
internal static class Wire
{
    private static readonly StreamSerializer Serializer = new(OptionRegistry.Default);

    /// <summary>The bytes of hexadecimal text; blanks do not count, nor does what follows '#' on a line.</summary>
    public static byte[] Hex(string text) =>
        Convert.FromHexString(string.Concat(text.Split('\n').Select(line => line.Split('#')[0]).SelectMany(line => line.Where(one => !char.IsWhiteSpace(one)))));

    public static CoapMessage Read(string hex)
    {
        Serializer.TryRead(Hex(hex).AsSpan(), out var message, out var error, out _).Should().BeTrue(error.ToString());
        return message!;
    }

    public static byte[] Bytes(this CoapMessage message)
    {
        var bytes = new byte[Serializer.GetSize(message)];
        Serializer.Write(bytes, message).Should().Be(bytes.Length);
        return bytes;
    }

    /// <summary>The one message that the outcome wants to have sent, as it stands on the wire.</summary>
    public static byte[] SentBytes(this SignalOutcome outcome) => outcome.Should().BeOfType<SendSignals>().Which.Messages.Should().ContainSingle().Which.Bytes();

    /// <summary>The Abort that the outcome wants to have sent before the connection is closed.</summary>
    public static CoapMessage SentAbort(this SignalOutcome outcome)
    {
        var close = outcome.Should().BeOfType<CloseConnection>().Which;
        close.Reason.Should().Be(CloseReason.Aborted);
        var abort = close.Messages.Should().ContainSingle().Which;
        abort.Code.Should().Be(SignalCode.Abort);
        abort.Payload.Length.Should().BePositive("a diagnostic payload SHOULD be included");
        return Read(Convert.ToHexString(abort.Bytes()));
    }

    /// <summary>A machine that sent its CSM at time 0 and, at time 0, got one without options.</summary>
    public static SignalingMachine Opened(StreamSettings? settings = null)
    {
        var machine = new SignalingMachine(settings ?? new StreamSettings());
        machine.Open(0);
        machine.Receive(Read("00 e1"), 0).Should().Be(new PeerLimitsChanged());
        return machine;
    }

    public static long Seconds(double seconds) => TimeSpan.FromSeconds(seconds).Ticks;
}
