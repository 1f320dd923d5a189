using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace Backend;

/// <summary>Decides who may do what: a controller everything with its own id but its set point, an operator everything but to report.</summary>
/// <remarks>
/// Identities of keys and names of certificates are different names, also if they have the same text. The operators of each kind are listed apart, and a
/// certificate with the name of a key is not the controller of that key.
/// </remarks>
internal sealed class ControllerAccess(BackendSettings settings)
{
    private const string CommonName = "2.5.4.3";

    private readonly HashSet<string> _operators = new(settings.Operators, StringComparer.Ordinal);
    private readonly HashSet<string> _certificateOperators = new(settings.CertificateOperators, StringComparer.Ordinal);

    public AuthorizationDecision Authorize(RequestHead request)
    {
        var isAllowed = request.Credentials switch
        {
            null => IsPlainAllowed(request),
            { PreSharedKeyIdentity: { } identity } => IsAllowed(request, identity, _operators.Contains(identity)),
            { Certificate: { } certificate } when NameOf(certificate) is { } name =>
                IsAllowed(request, settings.Keys.ContainsKey(name) ? null : name, _certificateOperators.Contains(name)),
            _ => false,
        };
        return isAllowed ? AuthorizationDecision.Allow() : AuthorizationDecision.Deny();
    }

    private static bool IsAllowed(RequestHead request, string? id, bool isOperator)
    {
        var isOwn = !isOperator && request.Template?.StartsWith(ControllerResources.Controllers, StringComparison.Ordinal) == true && request["id"] == id;
        if (request.Method == RequestCode.Get) { return isOwn || isOperator; }
        return request.Template == ControllerResources.SetPoint ? isOperator : isOwn;
    }

    private bool IsPlainAllowed(RequestHead request) =>
        settings.AllowsPlainLoopback && request.Peer.ToIPEndPoint() is { } address && System.Net.IPAddress.IsLoopback(address.Address);

    // GetNameInfo returns another name if there is no common name.
    private static string? NameOf(X509Certificate2 certificate)
    {
        var names = certificate.SubjectName.EnumerateRelativeDistinguishedNames()
            .Where(static one => !one.HasMultipleElements && one.GetSingleElementType().Value == CommonName)
            .Select(static one => one.GetSingleElementValue())
            .ToArray();
        return names.Length == 1 ? names[0] : null;
    }
}
