using System.Security.Claims;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>What an authorizer knows of a request: the peer, the method and the options, but not the body.</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class RequestHead
{
    private readonly IncomingRequest _request;
    private ClaimsPrincipal? _user;

    internal RequestHead(IncomingRequest request) => _request = request;

    /// <inheritdoc cref="IncomingRequest.Method"/>
    public CoapCode Method => _request.Method;

    /// <summary>The options. Those of the block-wise transfer differ from block to block.</summary>
    public OptionSet Options => _request.Options;

    /// <inheritdoc cref="IncomingRequest.Peer"/>
    public PeerIdentity Peer => _request.Peer;

    /// <inheritdoc cref="IncomingRequest.Local"/>
    public PeerIdentity Local => _request.Local;

    /// <inheritdoc cref="IncomingRequest.Credentials"/>
    public PeerCredentials? Credentials => _request.Credentials;

    /// <summary>
    /// What <see cref="Credentials"/> tell about the user, with the claims of <see cref="IncomingRequest.User"/>. Never <see langword="null"/>; without
    /// credentials, it is anonymous. <see cref="PeerAuthentication"/> has the authentication types.
    /// </summary>
    /// <remarks>
    /// Authorizers are called before steps, so what steps add to <see cref="IncomingRequest.User"/> is not here, not even when an authorizer decides about
    /// later notifications. Handlers do not see what an authorizer adds, except to the user of a web host, which belongs to the whole connection.
    /// </remarks>
    public ClaimsPrincipal User => _user ?? Interlocked.CompareExchange(ref _user, PeerPrincipal.Of(Credentials), null) ?? _user;

    /// <inheritdoc cref="IncomingRequest.IsMulticast"/>
    public bool IsMulticast => _request.IsMulticast;

    /// <inheritdoc cref="IncomingRequest.IsReliable"/>
    public bool IsReliable => _request.IsReliable;

    /// <inheritdoc cref="IncomingRequest.Path"/>
    /// <remarks>A segment can contain "/", so different resources can have the same text. Compare <see cref="PathSegments"/> or <see cref="Template"/>.</remarks>
    public string Path => _request.Path;

    /// <summary>The segments of the path of the resource, without percent-encoding; empty for the root.</summary>
    public IReadOnlyList<string> PathSegments => [.. _request.Options.GetAll<UriPath>().Select(static segment => segment.Value)];

    /// <summary>The template of the resource, such as "/sensors/{id}"; <see langword="null"/> if no resource has the path.</summary>
    public string? Template => _request.Route?.Template;

    /// <inheritdoc cref="IncomingRequest.this[string]"/>
    public string this[string name] => _request[name];

    /// <inheritdoc cref="IncomingRequest.Query"/>
    public string? Query(string name) => _request.Query(name);
}
