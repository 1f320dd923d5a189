using System.Security.Cryptography;
using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>
/// Named representations in memory, with entity tags and preconditions (RFC 7252, sections 5.8 and 5.10.8). Bounded: a new
/// representation takes the place of the ones that were not changed for the longest time, because anyone can fill the store.
/// </summary>
internal sealed class Store
{
    private const int MaxItems = 1000;
    private const int MaxItemSize = 256 << 10;
    private const long MaxTotalSize = 16 << 20;
    private const int ETagLength = 8;

    private readonly Dictionary<string, Item> _items = new(StringComparer.Ordinal);
    private readonly LinkedList<string> _order = new();     // the names, those that were changed last at the end
    private readonly Lock _gate = new();
    private long _totalSize;

    // A POST copies the whole representation, so it runs on a handler thread: one lane then does not wait for the copies of another, and an
    // address that may be forged is asked for a proof as soon as its requests have to wait.
    public void Map(Resource resource) => resource.HandlesConditions()
        .Get(Locked(Get), HandlerMode.Inline)
        .Put(Locked(Put), HandlerMode.Inline)
        .Post(Locked(Append), HandlerMode.Buffered)
        .Delete(Locked(Delete), HandlerMode.Inline);

    // Several lanes call this at the same time.
    private Func<IncomingRequest, CoapResponse> Locked(Func<IncomingRequest, CoapResponse> handler) => request =>
    {
        lock (_gate) { return handler(request); }
    };

    private CoapResponse Get(IncomingRequest request)
    {
        if (!_items.TryGetValue(request["name"], out var item)) { return Response.NotFound; }
        if (request.Options.GetAll<ETag>().Contains(item.ETag)) { return Response.Valid(item.ETag); }
        return new(ResponseCode.Content) { Options = item.Options, Payload = item.Bytes };
    }

    private CoapResponse Put(IncomingRequest request)
    {
        _items.TryGetValue(request["name"], out var old);
        ThrowUnlessPreconditionsHold(request, old);
        return Keep(request, old, []);
    }

    private CoapResponse Append(IncomingRequest request)
    {
        _items.TryGetValue(request["name"], out var old);
        ThrowUnlessPreconditionsHold(request, old);
        return Keep(request, old, old?.Bytes ?? []);
    }

    private CoapResponse Delete(IncomingRequest request)
    {
        _items.TryGetValue(request["name"], out var old);
        ThrowUnlessPreconditionsHold(request, old);
        if (old is not null) { Remove(old); }
        return Response.Deleted;
    }

    private CoapResponse Keep(IncomingRequest request, Item? old, byte[] start)
    {
        var size = start.Length + request.Payload.Length;
        if (size > MaxItemSize) { return new(ResponseCode.RequestEntityTooLarge); }
        if (old is not null) { Remove(old); }
        while (_items.Count >= MaxItems || _totalSize + size > MaxTotalSize) { Remove(_items[_order.First!.Value]); }
        var place = _order.AddLast(request["name"]);
        _items[place.Value] = new Item(place, [.. start, .. request.Payload.Span], request.ContentFormat);
        _totalSize += size;
        return old is null ? Response.Created : Response.Changed;
    }

    private void Remove(Item item)
    {
        _items.Remove(item.Place.Value);
        _order.Remove(item.Place);
        _totalSize -= item.Bytes.Length;
    }

    private static void ThrowUnlessPreconditionsHold(IncomingRequest request, Item? old)
    {
        var wanted = request.Options.GetAll<IfMatch>();
        var isMatch = wanted.Count == 0 || (old is not null && wanted.Any(tag => tag.Matches(old.ETag)));
        if (!isMatch || (request.Options.Contains<IfNoneMatch>() && old is not null))
        {
            throw new CoapResponseException(ResponseCode.PreconditionFailed);
        }
    }

    private sealed record Item(LinkedListNode<string> Place, byte[] Bytes, uint? Format)
    {
        // Only when someone asks for it: whoever appends byte by byte would have each version hashed.
        public ETag ETag => field ??= new(SHA256.HashData(Bytes).AsMemory(0, ETagLength));

        public OptionSet Options => Format is { } format ? [ETag, new ContentFormat(format)] : [ETag];
    }
}
