using System.Net;
using System.Text;
using CoAP.Fuzzing.Engine;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Fuzzing.Parsers;

/// <summary>URIs: the first step is a URI, each further one a reference that is resolved against it (RFC 3986; RFC 7252, section 6).</summary>
internal sealed class UriTarget() : FuzzTarget("uri")
{
    // The characters of a registered name (RFC 3986, section 3.2.2).
    private const string RegName = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=";

    private static readonly IPAddress Destination = IPAddress.Parse("192.0.2.1");

    public override IReadOnlyList<byte[]> Dictionary => Words.Uris;

    public override int MaxLength => 1024;

    public override void Run(FuzzInput input, Trace trace)
    {
        CoapUri? uri = null;
        foreach (var step in input.Steps)
        {
            var text = Encoding.Latin1.GetString(step);
            if (uri is null) { uri = Examine(text, trace); }
            else { Resolve(uri, text, trace); }
        }
    }

    private static CoapUri? Examine(string text, Trace trace)
    {
        CoapUri? uri = null;
        string? error = null;
        Memory.Bounded(() => CoapUri.TryParse(text, out uri, out error), text.Length, perByte: 64);
        FuzzFailure.ThrowIf((uri is null) != (error is { Length: > 0 }), $"\"{text}\" is {uri}, and the error is {error}");
        trace.AddText("error", error);
        if (uri is null) { return null; }
        trace.Add("scheme", (long)uri.Scheme);
        trace.Add("host", (uri.Address is null ? 0 : 1) + (uri.Zone is null ? 0 : 2) + (uri.HasDefaultPort ? 0 : 4));
        trace.AddSize("segments", uri.PathSegments.Count);
        trace.AddSize("arguments", uri.QueryArguments.Count);
        Check(uri, text);
        return uri;
    }

    private static void Check(CoapUri uri, string text)
    {
        CheckText(uri, text);
        // The zone is not sent, and a name that no URI can have unescaped is no Uri-Host (RFC 7252, section 6.5, step 2).
        if (uri.Zone is null && (uri.Address is not null || uri.Host.All(one => one > 127 || RegName.Contains(one, StringComparison.Ordinal)))) { CheckOptions(uri, text); }
    }

    private static void CheckText(CoapUri uri, string text)
    {
        FuzzFailure.ThrowIf(!CoapUri.TryParse(uri.ToString(), out var again, out var error), $"\"{text}\" is written as \"{uri}\", which is no URI: {error}");
        FuzzFailure.ThrowIf(!uri.Equals(again) || again!.ToString() != uri.ToString(), $"\"{text}\" is written as \"{uri}\" and read as \"{again}\"");
    }

    private static void CheckOptions(CoapUri uri, string text)
    {
        OptionSet options;
        // A segment or argument of more than 255 bytes fits no option (RFC 7252, section 5.10).
        try { options = uri.ToOptions(Destination, 5683); }
        catch (ArgumentException) when (text.Length > 255) { return; }
        var received = CoapMessageSerializer.Datagram.Deserialize(CoapMessageSerializer.Datagram.Serialize(new CoapMessage { Code = RequestCode.Get, Options = options }).AsSpan());
        var isRead = CoapUri.TryFromOptions(uri.Scheme, received.Options, Destination, 5683, out var restored, out var reason);
        FuzzFailure.ThrowIf(!isRead, $"the options of \"{uri}\" are no URI: {reason}");
        FuzzFailure.ThrowIf(!uri.Equals(restored), $"the options of \"{uri}\" are the URI \"{restored}\"");
    }

    private static void Resolve(CoapUri uri, string reference, Trace trace)
    {
        CoapUri? resolved = null;
        string? error = null;
        Memory.Bounded(() => uri.TryResolve(reference, out resolved, out error), reference.Length + uri.ToString().Length, perByte: 96);
        trace.AddText("reference", error);
        FuzzFailure.ThrowIf((resolved is null) != (error is { Length: > 0 }), $"\"{reference}\" is {resolved}, and the error is {error}");
        if (resolved is not null) { Check(resolved, $"{reference} at {uri}"); }
    }
}
