using System.Net;
using System.Runtime.CompilerServices;
using CoAP.Exchanges;
using CoAP.Groups;

namespace CoAP;

/// <content>Requests to groups (RFC 7252, section 8).</content>
public sealed partial class CoapClient
{
    /// <summary>Sends a non-confirmable GET to all members of a group, and gives their answers as they come; see the other form.</summary>
    /// <param name="uri">Such as "coap://224.0.1.187/.well-known/core" or "coap://[ff02::fd%25eth0]/.well-known/core".</param>
    /// <param name="listenFor">How long answers are waited for.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="MulticastAsync(CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public IAsyncEnumerable<CoapResponse> MulticastAsync(string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        MulticastAsync(NonConfirmableGet(uri), _settings.Multicast with { ListenFor = listenFor }, cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group, and gives their answers as they come, until the time is over.</summary>
    /// <param name="request">What is asked for; <see cref="CoapRequest.IsConfirmable"/> has to be off.</param>
    /// <param name="settings">How the request is sent and how long answers are waited for; those of the client by default.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <remarks>
    /// The request is sent when the enumeration begins, once for each enumeration. Whoever knows the token can answer, and a member may answer more than
    /// once: <see cref="CoapResponse.Remote"/> says who. That nobody answers is no error.
    /// </remarks>
    /// <exception cref="ArgumentException">The URI names no group, or the request is confirmable or does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTransportException">The request could not be sent by any interface, or the client has ended.</exception>
    /// <exception cref="CoapBusyException">Too many multicast requests wait already.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public IAsyncEnumerable<CoapResponse> MulticastAsync(
        CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default)
    {
        var target = GroupTarget(request);
        return MulticastAsync(target, settings ?? _settings.Multicast, cancellationToken);
    }

    /// <summary>Sends a non-confirmable GET to all members of a group. Blocks the calling thread between the answers.</summary>
    /// <param name="uri">Such as "coap://224.0.1.187/.well-known/core" or "coap://[ff02::fd%25eth0]/.well-known/core".</param>
    /// <param name="listenFor">How long answers are waited for.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="MulticastAsync(CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public IEnumerable<CoapResponse> Multicast(string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        Multicast(NonConfirmableGet(uri), _settings.Multicast with { ListenFor = listenFor }, cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group. Blocks the calling thread between the answers.</summary>
    /// <inheritdoc cref="MulticastAsync(CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/param|/exception|/remarks"/>
    public IEnumerable<CoapResponse> Multicast(CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default)
    {
        var target = GroupTarget(request);
        return Multicast(target, settings ?? _settings.Multicast, cancellationToken);
    }

    private static CoapRequest NonConfirmableGet(string uri) => new(RequestCode.Get, uri) { IsConfirmable = false };

    private static RequestTarget GroupTarget(CoapRequest request)
    {
        var target = RequestTarget.Of(request);
        if (request.IsConfirmable)
        {
            throw new ArgumentException("A multicast request is non-confirmable: set IsConfirmable to false (RFC 7252, section 8.1).", nameof(request));
        }
        if (target.Scheme != CoapScheme.Coap) { throw new ArgumentException($"Groups are reached by 'coap' URIs, not by '{target.Scheme}'.", nameof(request)); }
        if (target.IsLiteral && !target.IsGroup)
        {
            throw new ArgumentException($"{target.Host} is no multicast address: use SendAsync or Send.", nameof(request));
        }
        return target;
    }

    private async IAsyncEnumerable<CoapResponse> MulticastAsync(
        RequestTarget target, MulticastRequestSettings settings, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        IReadOnlyList<IPAddress> addresses = _settings.Network is null
            ? await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false)
            : [];
        cancellationToken.ThrowIfCancellationRequested();
        var sent = BeginMulticast(target, addresses, settings, parked: false);
        try
        {
            while (true)
            {
                await sent.Answers.WaitAsync(cancellationToken).ConfigureAwait(false);
                if (!sent.Answers.TryTake(out var response)) { yield break; }
                yield return response;
            }
        }
        finally { sent.Close(); }
    }

    private IEnumerable<CoapResponse> Multicast(RequestTarget target, MulticastRequestSettings settings, CancellationToken cancellationToken)
    {
        IReadOnlyList<IPAddress> addresses = _settings.Network is null ? _addresses.Resolve(target.Host) : [];
        cancellationToken.ThrowIfCancellationRequested();
        var sent = BeginMulticast(target, addresses, settings, parked: true);
        try
        {
            while (true)
            {
                sent.Answers.Wait(cancellationToken);
                if (!sent.Answers.TryTake(out var response)) { yield break; }
                yield return response;
            }
        }
        finally { sent.Close(); }
    }

    private GroupRequest BeginMulticast(RequestTarget target, IReadOnlyList<IPAddress> addresses, MulticastRequestSettings settings, bool parked)
    {
        if (_settings.Network is not null)
        {
            return Mesh.BeginMulticast(PeerIdentity.From(target.Host), target.RequestToGroup(), settings, parked);
        }
        foreach (var address in addresses)
        {
            var group = new IPEndPoint(address, target.Port);
            if (PeerIdentity.From(group) is { IsMulticast: true } identity) { return Mesh.BeginMulticast(identity, target.RequestTo(group), settings, parked); }
        }
        throw new ArgumentException($"'{target.Host}' is the name of no group: none of its addresses is a multicast address. Use SendAsync or Send.");
    }
}
