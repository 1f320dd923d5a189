using System.Buffers;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using CoAP;

namespace SampleServer;

/// <summary>Receives bodies of any size and remembers their sizes and SHA-256 hashes. Bounded.</summary>
internal sealed class Uploads
{
    private const int MaxItems = 1000;
    private const int PieceSize = 16 << 10;
    private const long LargestBody = 2L << 30;

    private readonly ConcurrentDictionary<string, string> _summaries = new(StringComparer.Ordinal);

    public void Map(Resource resource) => resource
        .Put(PutAsync)
        .Get(request => _summaries.TryGetValue(request["name"], out var summary) ? Response.Content(summary) : Response.NotFound, HandlerMode.Inline)
        .StreamsBody(LargestBody)
        .WithLink(title: "Bodies of any size");

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
        var isNew = !_summaries.ContainsKey(request["name"]);
        if (isNew && _summaries.Count >= MaxItems) { return Response.Unavailable(TimeSpan.FromMinutes(1)); }
        _summaries[request["name"]] = $"{size} bytes, SHA-256 {Convert.ToHexStringLower(hash.GetHashAndReset())}";
        return isNew ? Response.Created : Response.Changed;
    }
}
