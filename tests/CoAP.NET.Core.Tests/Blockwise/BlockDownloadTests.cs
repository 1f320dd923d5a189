using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise;

public sealed class BlockDownloadTests
{
    private static readonly DownloadRules Rules = new(BlockSize.Largest, MaxLength: long.MaxValue, AllowsBert: true);

    // CoAP Client                             CoAP Server
    //   | GET, /status                       ------> |
    //   | <------   2.05 Content, 2:0/1/BERT(3072)   |
    //   | GET, /status, 2:3/0/BERT           ------> |
    //   | <------   2.05 Content, 2:3/1/BERT(5120)   |
    //   | GET, /status, 2:8/0/BERT          ------>  |
    //   | <------   2.05 Content, 2:8/0/BERT(4711)   |
    [Fact, Trait("RFC", "8323 6.1")]
    public void BERT_counts_blocks_of_1024_bytes()
    {
        var download = new BlockDownload(Rules with { Preferred = BlockSize.Bert });

        Next(download.Receive(Content(0, true, 7, 3072))).Should().Be(new Block2(3, false, 7));
        Next(download.Receive(Content(3, true, 7, 5120))).Should().Be(new Block2(8, false, 7));
        download.Receive(Content(8, false, 7, 4711)).Should().BeOfType<DownloadOutcome.Completed>();
        download.Offset.Should().Be(12_903);
    }

    [Theory, Trait("RFC", "8323 6")]
    [InlineData(0), InlineData(1000), InlineData(2047)]
    public void BERT_that_is_no_multiple_of_1024_bytes_is_wrong_where_more_follows(int length)
    {
        var download = new BlockDownload(Rules with { Preferred = BlockSize.Bert });

        download.Receive(Content(0, true, 7, length)).Should().BeOfType<DownloadOutcome.Broken>();
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public void A_download_that_exceeds_the_last_block_number_is_abandoned()
    {
        var download = new BlockDownload(Rules, offset: (1L << 24) - 16, new ETag(new byte[] { 1 }));

        var outcome = download.Receive(Content((1 << 20) - 1, true, 0, 16, 1));

        outcome.Should().BeOfType<DownloadOutcome.Broken>().Which.Reason.Should().Contain("16777216");
    }

    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData(6, 2048, 2, 6), InlineData(6, 48, 3, 0), InlineData(7, 1024, 1, 7), InlineData(7, 512, 1, 5), InlineData(2, 0, 0, 2)]
    public void The_first_block_is_asked_for_in_a_size_that_has_a_number_for_it(int preferred, long offset, int number, int exponent)
    {
        BlockDownload.FirstBlock(new BlockSize(preferred), offset).Should().Be(new Block2(number, false, exponent));
    }

    [Fact]
    public void Blocks_after_the_last_one_are_rejected()
    {
        var download = new BlockDownload(Rules);
        download.Receive(Content(0, false, 0, 3));

        download.Invoking(one => one.Receive(Content(1, false, 0, 3))).Should().Throw<InvalidOperationException>();
    }

    private static Block2 Next(DownloadOutcome outcome) => outcome.Should().BeOfType<DownloadOutcome.AskNext>().Which.Block;

    private static CoapMessage Content(int number, bool more, int exponent, int length, byte? etag = null) => new()
    {
        Code = ResponseCode.Content,
        Options = etag is { } tag ? [new ETag(new[] { tag }), new Block2(number, more, exponent)] : [new Block2(number, more, exponent)],
        Payload = new byte[length],
    };
}
