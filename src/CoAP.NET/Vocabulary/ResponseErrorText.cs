using System.Text;

namespace CoAP.Vocabulary;

/// <summary>What the exception of a response that is an error tells people.</summary>
internal static class ResponseErrorText
{
    private const int MostOfDiagnostic = 256;

    /// <param name="code">What came.</param>
    /// <param name="diagnostic">What the peer said about it.</param>
    /// <param name="asked">What was asked for, where it was asked at all.</param>
    /// <param name="remote">Who answered.</param>
    public static string Of(CoapCode code, string? diagnostic, CoapRequest? asked, in PeerIdentity remote)
    {
        var start = asked is null ? "The response is" : $"{(remote.IsNone ? "The peer" : remote)} answered {asked.Describe()} with";
        var end = string.IsNullOrEmpty(diagnostic) ? "." : $": {Cut(diagnostic)}";
        return $"{start} {CodeNames.OfResponse(code)}{end}";
    }

    // It may be as long as a body and end up in a log, whose lines it must not be able to forge.
    private static string Cut(string diagnostic)
    {
        var isLong = diagnostic.Length > MostOfDiagnostic;
        var length = !isLong ? diagnostic.Length : char.IsHighSurrogate(diagnostic[MostOfDiagnostic - 1]) ? MostOfDiagnostic - 1 : MostOfDiagnostic;
        var text = new StringBuilder(diagnostic, 0, length, length + 1);
        for (var i = 0; i < length; i++)
        {
            if (char.IsControl(text[i])) { text[i] = ' '; }
        }
        return (isLong ? text.Append('…') : text).ToString();
    }
}
