using System.Runtime.CompilerServices;
using System.Text;
using CoAP.Options;

namespace CoAP.Signaling;

/// <summary>Creates the five signals (RFC 8323, section 5).</summary>
internal static class SignalMessages
{
    // Length and code without a token, and the payload marker.
    private const int Overhead = 6 + 1;

    // All connections of an endpoint have the same settings and thus send the same CSM.
    private static readonly ConditionalWeakTable<StreamSettings, CoapMessage> Csms = [];

    /// <summary>Returns our CSM without the options that equal the base values (RFC 8323, section 5.3).</summary>
    public static CoapMessage Csm(StreamSettings settings) => Csms.GetValue(settings, MakeCsm);

    private static CoapMessage MakeCsm(StreamSettings settings)
    {
        var options = new List<CoapOption>(3);
        if (settings.MaxMessageSize != MaxMessageSize.Default) { options.Add(new MaxMessageSize((uint)settings.MaxMessageSize)); }
        if (settings.AnnouncesBlockWise) { options.Add(new BlockWiseTransfer()); }
        if (settings.MaxTokenLength != PeerLimits.Base.MaxTokenLength) { options.Add(new ExtendedTokenLength((uint)settings.MaxTokenLength)); }
        return new CoapMessage { Code = SignalCode.Csm, Options = [.. options] };
    }

    public static CoapMessage Ping(Token token) => new() { Code = SignalCode.Ping, Token = token };

    public static CoapMessage Pong(Token token, bool custody) =>
        new() { Code = SignalCode.Pong, Token = token, Options = custody ? [new Custody()] : default };

    public static CoapMessage Release(string diagnostic, long maxSize) => WithDiagnostic(SignalCode.Release, default, diagnostic, maxSize);

    public static CoapMessage Abort(string diagnostic, int? badCsmOption, long maxSize) =>
        WithDiagnostic(SignalCode.Abort, badCsmOption is { } number ? [new BadCsmOption((uint)number)] : [], diagnostic, maxSize);

    /// <summary>Returns the diagnostic payload. Bytes that are not UTF-8 become replacement characters (RFC 7252, section 5.5.2).</summary>
    public static string Diagnostic(CoapMessage signal) => Encoding.UTF8.GetString(signal.Payload.Span);

    // A signal must respect the limit of the peer like any message, so a long diagnostic is shortened.
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
}
