using System.Runtime.CompilerServices;
using System.Text;
using CoAP.Options;

namespace CoAP.Signaling;

/// <summary>Makes the five signals (RFC 8323, section 5).</summary>
internal static class SignalMessages
{
    // Length and code without a token, and the payload marker.
    private const int Overhead = 6 + 1;

    // All connections of an endpoint have the same settings, and say the same.
    private static readonly ConditionalWeakTable<StreamSettings, CoapMessage> Csms = [];

    /// <summary>Our CSM; what equals the base value is left out (RFC 8323, section 5.3).</summary>
    public static CoapMessage Csm(StreamSettings settings) => Csms.GetValue(settings, MakeCsm);

    private static CoapMessage MakeCsm(StreamSettings settings)
    {
        var options = new List<CoapOption>(3);
        if (settings.MaxMessageSize != MaxMessageSize.Default) { options.Add(new MaxMessageSize((uint)settings.MaxMessageSize)); }
        if (settings.AnnounceBlockWise) { options.Add(new BlockWiseTransfer()); }
        if (settings.MaxTokenLength != PeerLimits.Base.MaxTokenLength) { options.Add(new ExtendedTokenLength((uint)settings.MaxTokenLength)); }
        return new CoapMessage { Code = SignalCode.Csm, Options = [.. options] };
    }

    public static CoapMessage Ping(Token token, bool custody) => Echo(SignalCode.Ping, token, custody);

    public static CoapMessage Pong(Token token, bool custody) => Echo(SignalCode.Pong, token, custody);

    public static CoapMessage Release(IEnumerable<string> alternativeAddresses, TimeSpan? holdOff, string diagnostic, long maxSize)
    {
        var options = new List<CoapOption>();
        foreach (var address in alternativeAddresses) { options.Add(new AlternativeAddress(address)); }
        if (holdOff is { } wait) { options.Add(new HoldOff(WholeSeconds(wait))); }
        return WithDiagnostic(SignalCode.Release, [.. options], diagnostic, maxSize);
    }

    public static CoapMessage Abort(string diagnostic, int? badCsmOption, long maxSize) =>
        WithDiagnostic(SignalCode.Abort, badCsmOption is { } number ? [new BadCsmOption((uint)number)] : [], diagnostic, maxSize);

    /// <summary>The diagnostic payload as text; bytes that are no UTF-8 become replacement characters (RFC 7252, section 5.5.2).</summary>
    public static string Diagnostic(CoapMessage signal) => Encoding.UTF8.GetString(signal.Payload.Span);

    private static CoapMessage Echo(CoapCode code, Token token, bool custody) =>
        new() { Code = code, Token = token, Options = custody ? [new Custody()] : default };

    // A signal keeps to the peer's limit as any message does: rather half a diagnostic than none of the message.
    private static CoapMessage WithDiagnostic(CoapCode code, OptionSet options, string diagnostic, long maxSize) => new()
    {
        Code = code,
        Options = options,
        Payload = Fit(Encoding.UTF8.GetBytes(diagnostic), maxSize - Overhead - options.Wire.Length),
    };

    private static ReadOnlyMemory<byte> Fit(byte[] text, long room)
    {
        if (text.Length <= room) { return text; }
        var length = (int)Math.Max(room, 0);
        while (length > 0 && (text[length] & 0xC0) == 0x80) { length--; }
        return text.AsMemory(0, length);
    }

    private static uint WholeSeconds(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        return (uint)Math.Min(Math.Ceiling(time.TotalSeconds), uint.MaxValue);
    }
}
