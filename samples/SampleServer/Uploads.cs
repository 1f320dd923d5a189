using System.Buffers;
using System.Security.Cryptography;
using CoAP;

namespace SampleServer;

/// <summary>Receives bodies of any size and remembers their sizes and SHA-256 hashes. A new name takes the place of the oldest.</summary>
internal sealed class Uploads
{
    private const int MaxItems = 1000;
    private const int PieceSize = 16 << 10;
    private const long LargestBody = 2L << 30;

    private readonly Dictionary<string, string> _summaries = new(StringComparer.Ordinal);
    private readonly Queue<string> _names = new();
    private readonly Lock _gate = new();

    public void Map(Resource resource) => resource
        .Put(PutAsync)
        .Get(Get, HandlerMode.Inline)
        .StreamsBody(LargestBody)
        .WithLink(title: "Bodies of any size");

    private CoapResponse Get(IncomingRequest request)
    {
        lock (_gate) { return _summaries.TryGetValue(request["name"], out var summary) ? Response.Content(summary) : Response.NotFound; }
    }

    private async ValueTask<CoapResponse> PutAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var piece = ArrayPool<byte>.Shared.Rent(PieceSize);
        long size = 0;
        int count;
        while ((count = await request.Body.ReadAsync(piece, cancellationToken)) > 0)
        {
            hash.AppendData(piece, 0, count);
            size += count;
        }
        ArrayPool<byte>.Shared.Return(piece);
        return Keep(request["name"], $"{size} bytes, SHA-256 {Convert.ToHexStringLower(hash.GetHashAndReset())}");
    }

    private CoapResponse Keep(string name, string summary)
    {
        lock (_gate)
        {
            var isNew = !_summaries.ContainsKey(name);
            if (isNew && _summaries.Count == MaxItems) { _summaries.Remove(_names.Dequeue()); }
            if (isNew) { _names.Enqueue(name); }
            _summaries[name] = summary;
            return isNew ? Response.Created : Response.Changed;
        }
    }
}
