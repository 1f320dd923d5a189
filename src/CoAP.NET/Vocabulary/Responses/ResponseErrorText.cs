namespace CoAP.Vocabulary;

/// <summary>Composes the message of a <see cref="CoapResponseException"/>.</summary>
internal static class ResponseErrorText
{
    /// <summary>Returns the message.</summary>
    /// <param name="code">The response code.</param>
    /// <param name="diagnostic">The diagnostic message; <see langword="null"/> if there is none.</param>
    /// <param name="asked">The request; <see langword="null"/> if the exception was created without one.</param>
    /// <param name="remote">The peer that answered.</param>
    public static string Of(CoapCode code, string? diagnostic, CoapRequest? asked, in PeerIdentity remote)
    {
        var start = asked is null ? "The response is" : $"{(remote.IsNone ? "The peer" : remote)} answered {asked.Describe()} with";
        var end = string.IsNullOrEmpty(diagnostic) ? "." : $": {ForeignText.Clean(diagnostic)}";
        return $"{start} {CodeNames.OfResponse(code)}{end}";
    }
}
