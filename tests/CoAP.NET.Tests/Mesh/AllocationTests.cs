using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>What a request leaves behind on the inline path, counted instead of timed; alone, because the memory counted is the whole process's.</summary>
[Collection("Loopback")]
public class AllocationTests
{
    private const int Requests = 20_000;

    [Fact]
    public void An_inline_request_with_a_shared_response_allocates_at_most_400_bytes() =>
        BytesPerRequest(Response.Content("Hello, CoAP!")).Should().BeLessThanOrEqualTo(400);

    [Fact]
    public void An_inline_request_with_a_text_of_its_own_allocates_at_most_560_bytes() =>
        BytesPerRequest(response: null).Should().BeLessThanOrEqualTo(560);

    [Fact]
    public void Requests_from_a_thousand_peers_leave_memory_flat()
    {
        var requests = TestLevel.IsFull ? 10_000_000 : 300_000;
        var settings = new CoapServerSettings { Deduplication = new DeduplicationSettings { Capacity = 16_384, AnswerBufferSize = 1 << 20 } };
        var feed = new RequestFeed(peers: 1000, settings, "hello", response: null);

        feed.Pump(requests / 10);
        var atTenth = GC.GetTotalMemory(forceFullCollection: true);
        feed.Pump(requests - (requests / 10));
        var atEnd = GC.GetTotalMemory(forceFullCollection: true);

        feed.Answers.Should().BeGreaterThanOrEqualTo(requests);
        feed.End();
        // Other tests of this process hold what they hold; a leak of a single pointer per request would be 2 MB in the short run.
        (atEnd - atTenth).Should().BeLessThan(1 << 20);
    }

    private static double BytesPerRequest(CoapResponse? response)
    {
        var feed = new RequestFeed(peers: 16, new CoapServerSettings(), "hello", response);
        var runs = 0;

        var allocated = Allocations.Of(() =>
        {
            feed.Pump(Requests);
            runs++;
        });

        feed.Answers.Should().Be(runs * Requests);
        feed.End();
        return (double)allocated / Requests;
    }
}
