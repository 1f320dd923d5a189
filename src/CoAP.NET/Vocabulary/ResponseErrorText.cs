using System.Text;

namespace CoAP.Vocabulary;

/// <summary>Composes the message of a <see cref="CoapResponseException"/>.</summary>
internal static class ResponseErrorText
{
    private const int MaxDiagnosticLength = 256;

    /// <summary>Returns the message.</summary>
    /// <param name="code">The response code.</param>
    /// <param name="diagnostic">The diagnostic message; <see langword="null"/> if there is none.</param>
    /// <param name="asked">The request; <see langword="null"/> if the exception was created without one.</param>
    /// <param name="remote">The peer that answered.</param>
    public static string Of(CoapCode code, string? diagnostic, CoapRequest? asked, in PeerIdentity remote)
    {
        var start = asked is null ? "The response is" : $"{(remote.IsNone ? "The peer" : remote)} answered {asked.Describe()} with";
        var end = string.IsNullOrEmpty(diagnostic) ? "." : $": {Cut(diagnostic)}";
        return $"{start} {CodeNames.OfResponse(code)}{end}";
    }

    // The peer controls the text. It must not flood a log or forge log lines.
    private static string Cut(string diagnostic)
    {
        var isLong = diagnostic.Length > MaxDiagnosticLength;
        var length = !isLong ? diagnostic.Length : char.IsHighSurrogate(diagnostic[MaxDiagnosticLength - 1]) ? MaxDiagnosticLength - 1 : MaxDiagnosticLength;
        var text = new StringBuilder(diagnostic, 0, length, length + 1);
        for (var i = 0; i < length; i++)
        {
            if (char.IsControl(text[i])) { text[i] = ' '; }
        }
        return (isLong ? text.Append('…') : text).ToString();
    }
}
