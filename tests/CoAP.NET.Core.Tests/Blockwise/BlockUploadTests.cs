using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise;

public sealed class BlockUploadTests
{
    [Fact, Trait("RFC", "7959 2.9.2")]
    public void A_refused_upload_sends_no_further_blocks()
    {
        var upload = new BlockUpload(new BlockSize(0), length: 100);
        upload.Send(16, isLast: false);

        upload.Receive(new CoapMessage { Code = ResponseCode.RequestEntityIncomplete }).Should().BeOfType<UploadOutcome.Rejected>();

        upload.Invoking(one => one.Send(16, isLast: false)).Should().Throw<InvalidOperationException>();
        upload.Invoking(one => one.Receive(new CoapMessage { Code = ResponseCode.Continue })).Should().Throw<InvalidOperationException>();
    }

    [Fact]
    public void A_block_is_not_sent_before_the_last_one_has_its_answer()
    {
        var upload = new BlockUpload(new BlockSize(0), length: 100);
        upload.Send(16, isLast: false);

        upload.Invoking(one => one.Send(16, isLast: false)).Should().Throw<InvalidOperationException>();
    }

    [Theory, Trait("RFC", "7959 2.2")]
    [InlineData(0, 16_777_216L), InlineData(1, 33_554_432L), InlineData(2, 67_108_864L), InlineData(6, 1_073_741_824L), InlineData(7, 1_073_741_824L)]
    public void A_body_has_at_most_1048576_blocks(int exponent, long most)
    {
        BlockUpload.WhyTooLarge(most, new BlockSize(exponent)).Should().BeNull();
        BlockUpload.WhyTooLarge(most + 1, new BlockSize(exponent)).Should().Contain($"{most + 1}").And.Contain($"{most}");
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public void A_size_of_the_servers_that_leaves_the_body_without_numbers_ends_the_transfer()
    {
        var upload = new BlockUpload(new BlockSize(6), length: 20_000_000);
        upload.Send(1024, isLast: false);

        upload.Receive(Continue(new Block1(0, true, 0))).Should().BeOfType<UploadOutcome.Broken>().Which.Reason.Should().Contain("20000000").And.Contain("16777216");
    }

    // CoAP Client                             CoAP Server
    //   | PUT, /options, 1:0/1/BERT(8192)     ------> |
    //   | <------   2.31 Continue, 1:0/1/BERT         |
    //   | PUT, /options, 1:8/1/BERT(16384)    ------> |
    //   | <------   2.31 Continue, 1:8/1/BERT         |
    //   | PUT, /options, 1:24/0/BERT(5683)    ------> |
    //   | <------   2.04 Changed, 1:24/0/BERT         |
    [Fact, Trait("RFC", "8323 6.2")]
    public void BERT_counts_blocks_of_1024_bytes()
    {
        var upload = new BlockUpload(BlockSize.Bert, length: 30_259, bertLength: 16_384);

        upload.Send(8192, isLast: false).Should().Be(new Block1(0, true, 7));
        upload.Receive(Continue(new Block1(0, true, 7))).Should().BeOfType<UploadOutcome.SendNext>();
        upload.Send(16_384, isLast: false).Should().Be(new Block1(8, true, 7));
        upload.Receive(Continue(new Block1(8, true, 7))).Should().BeOfType<UploadOutcome.SendNext>();
        upload.Send(5683, isLast: true).Should().Be(new Block1(24, false, 7));
        upload.Receive(new CoapMessage { Code = ResponseCode.Changed, Options = [new Block1(24, false, 7)] }).Should().BeOfType<UploadOutcome.Completed>();
    }

    private static CoapMessage Continue(Block1 block) => new() { Code = ResponseCode.Continue, Options = [block] };
}
