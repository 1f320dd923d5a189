using System.Security.Cryptography;
using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>Named representations in memory, with entity tags and preconditions (RFC 7252, sections 5.8 and 5.10.8). Bounded.</summary>
internal sealed class Store
{
    private const int MaxItems = 1000;
    private const int MaxItemSize = 256 << 10;
    private const long MaxTotalSize = 16 << 20;
    private const int ETagLength = 8;

    private readonly Dictionary<string, Item> _items = new(StringComparer.Ordinal);
    private readonly Lock _gate = new();
    private long _totalSize;

    // A POST copies the whole representation, so it runs on a handler thread: an address that may be forged is asked for a proof as soon as
    // its requests have to wait.
    public void Map(Resource resource) => resource.HandlesConditions()
        .Get(Get, HandlerMode.Inline)
        .Put(request => Change(request, appends: false), HandlerMode.Inline)
        .Post(request => Change(request, appends: true), HandlerMode.Buffered)
        .Delete(Delete, HandlerMode.Inline);

    private CoapResponse Get(IncomingRequest request)
    {
        if (Find(request["name"]) is not { } item) { return Response.NotFound; }
        if (request.Options.GetAll<ETag>().Contains(item.ETag)) { return Response.Valid(item.ETag); }
        return new(ResponseCode.Content) { Options = item.Options, Payload = item.Bytes };
    }

    // Several lanes call this at the same time. They hash and copy without the lock, so that none waits for the copies of another. If the
    // representation has changed meanwhile, they begin again.
    private CoapResponse Change(IncomingRequest request, bool appends)
    {
        while (true)
        {
            var old = Find(request["name"]);
            ThrowUnlessPreconditionsHold(request, old);
            var start = appends && old is not null ? old.Bytes : [];
            var size = start.Length + request.Payload.Length;
            if (size > MaxItemSize) { return new(ResponseCode.RequestEntityTooLarge); }
            if (WhyFull(old, size) is { } refusal) { return refusal; }
            var item = new Item([.. start, .. request.Payload.Span], request.ContentFormat);
            if (TryReplace(request["name"], old, item, out var response)) { return response; }
        }
    }

    private CoapResponse Delete(IncomingRequest request)
    {
        while (true)
        {
            var old = Find(request["name"]);
            ThrowUnlessPreconditionsHold(request, old);
            if (TryReplace(request["name"], old, item: null, out var response)) { return response; }
        }
    }

    private Item? Find(string name)
    {
        lock (_gate) { return _items.GetValueOrDefault(name); }
    }

    private bool TryReplace(string name, Item? old, Item? item, out CoapResponse response)
    {
        response = item is null ? Response.Deleted : old is null ? Response.Created : Response.Changed;
        lock (_gate)
        {
            if (!ReferenceEquals(_items.GetValueOrDefault(name), old)) { return false; }
            if (item is null) { _items.Remove(name); }
            else if (WhyFull(old, item.Bytes.Length) is { } refusal)
            {
                response = refusal;
                return true;
            }
            else { _items[name] = item; }
            _totalSize += (item?.Bytes.Length ?? 0) - (old?.Bytes.Length ?? 0);
            return true;
        }
    }

    private CoapResponse? WhyFull(Item? old, int size)
    {
        lock (_gate)
        {
            if (old is null && _items.Count == MaxItems) { return Full($"{MaxItems} representations"); }
            return _totalSize - (old?.Bytes.Length ?? 0) + size > MaxTotalSize ? Full($"{MaxTotalSize} bytes") : null;
        }
    }

    private static CoapResponse Full(string limit) =>
        Response.Error(ResponseCode.ServiceUnavailable, $"The store holds at most {limit}. Delete some first.", new MaxAge(60));

    private static void ThrowUnlessPreconditionsHold(IncomingRequest request, Item? old)
    {
        var wanted = request.Options.GetAll<IfMatch>();
        var isMatch = wanted.Count == 0 || (old is not null && wanted.Any(tag => tag.Matches(old.ETag)));
        if (!isMatch || (request.Options.Contains<IfNoneMatch>() && old is not null))
        {
            throw new CoapResponseException(ResponseCode.PreconditionFailed);
        }
    }

    private sealed record Item(byte[] Bytes, uint? Format)
    {
        // Only when someone asks for it: whoever appends byte by byte would have each version hashed.
        public ETag ETag => field ??= new(SHA256.HashData(Bytes).AsMemory(0, ETagLength));

        public OptionSet Options => Format is { } format ? [ETag, new ContentFormat(format)] : [ETag];
    }
}
