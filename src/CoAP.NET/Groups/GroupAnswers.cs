using CoAP.Exchanges;

namespace CoAP.Groups;

/// <summary>The responses of the members of a group.</summary>
/// <param name="request">The request, with the absolute URI of a group.</param>
/// <param name="settings">How the request is sent.</param>
/// <param name="addresses">Resolves the name of the group.</param>
/// <param name="begin">Hands the request to the lane that sends to groups.</param>
internal sealed class GroupAnswers(CoapRequest request, MulticastRequestSettings settings, AddressBook addresses, BeginGroupRequest begin) : AnswerStream
{
    private readonly RequestTarget _target = GroupTarget.Of(request);
    private GroupRequest? _sent;

    protected override async ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        var places = await addresses.ResolveAsync(_target, cancellationToken).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        Begin(places, parked: false);
    }

    protected override void Begin(CancellationToken cancellationToken)
    {
        var places = addresses.Resolve(_target, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        Begin(places, parked: true);
    }

    protected override ValueTask<CoapResponse?> TakeAsync(CancellationToken cancellationToken) => _sent!.Answers.TakeAsync(cancellationToken);

    protected override CoapResponse? Take(CancellationToken cancellationToken) => _sent!.Answers.Take(cancellationToken);

    protected override void Close() => _sent?.Dispose();

    private void Begin(in ServerAddresses places, bool parked)
    {
        if (places.IsInMemory)
        {
            _sent = begin(places[0].Peer, _target.RequestToGroup(), settings, parked);
            return;
        }
        for (var index = 0; index < places.Count && _sent is null; index++)
        {
            var (group, address) = places[index];
            if (group.IsMulticast) { _sent = begin(group, _target.RequestTo(address), settings, parked); }
        }
        if (_sent is not null) { return; }
        throw new ArgumentException($"'{_target.Host}' is not a group, because none of its addresses is a multicast address. Use SendAsync or Send.");
    }
}
