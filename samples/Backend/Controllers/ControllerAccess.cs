using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace Backend;

/// <summary>Decides who may do what: a controller everything with its own id but its set point, an operator everything but to report.</summary>
internal sealed class ControllerAccess(BackendSettings settings)
{
    private readonly HashSet<string> _operators = new(settings.Operators, StringComparer.Ordinal);

    public AuthorizationDecision Authorize(RequestHead request)
    {
        var isAllowed = request.Credentials is null ? IsPlainAllowed(request) : IsAllowed(request, NameOf(request.Credentials));
        return isAllowed ? AuthorizationDecision.Allow() : AuthorizationDecision.Deny();
    }

    private bool IsAllowed(RequestHead request, string? name)
    {
        if (name is null) { return false; }
        var isOperator = _operators.Contains(name);
        var isOwn = !isOperator && request.Template?.StartsWith(ControllerResources.Controllers, StringComparison.Ordinal) == true && request["id"] == name;
        if (request.Method == RequestCode.Get) { return isOwn || isOperator; }
        return request.Template == ControllerResources.SetPoint ? isOperator : isOwn;
    }

    private bool IsPlainAllowed(RequestHead request) =>
        settings.AllowsPlainLoopback && request.Peer.ToIPEndPoint() is { } address && System.Net.IPAddress.IsLoopback(address.Address);

    private static string? NameOf(PeerCredentials credentials) =>
        credentials.PreSharedKeyIdentity ?? credentials.Certificate?.GetNameInfo(X509NameType.SimpleName, forIssuer: false);
}
