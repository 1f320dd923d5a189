using System.Text;
using CoAP.Options;

namespace CoAP.Signaling;

// RFC 8323, section 5.7, prints these two:
//
//    0                   1                   2              0                   1                   2
//    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3        0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+      +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//   |      0x01     |      0xe2     |      0x42     |      |      0x01     |      0xe3     |      0x42     |
//   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+      +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//    Len = 0, TKL = 1, Code = 7.02 Ping, Token = 0x42       Len = 0, TKL = 1, Code = 7.03 Pong, Token = 0x42
public sealed class SignalFormatTests
{
    [Fact]
    [Trait("RFC", "8323 5.7")]
    public void Answers_the_Ping_of_the_figure_with_the_Pong_of_the_figure()
    {
        var answer = Wire.Opened().Receive(Wire.Read("01 e2 42"), 0);

        answer.SentBytes().Should().Equal(Wire.Hex("01 e3 42"));
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public void Announces_64_KiB_and_block_wise_transfers_by_default()
    {
        var csm = new SignalingMachine(new StreamSettings()).Open(0);

        csm.Bytes().Should().Equal(Wire.Hex("""
            50            # Len = 5, TKL = 0
            e1            # 7.01 CSM
            23 01 00 00   # 2 Max-Message-Size, 65,536
            20            # 4 Block-Wise-Transfer
            """));
    }

    [Fact]
    [Trait("RFC", "8323 5.3.2")]
    [Trait("RFC", "8974 2.2.1")]
    public void Announces_what_the_settings_say()
    {
        var settings = new StreamSettings { MaxMessageSize = 4096, AnnouncesBlockWise = true, MaxTokenLength = 32 };

        new SignalingMachine(settings).Open(0).Bytes().Should().Equal(Wire.Hex("""
            60         # Len = 6, TKL = 0
            e1         # 7.01 CSM
            22 10 00   # 2 Max-Message-Size, 4,096
            20         # 4 Block-Wise-Transfer
            21 20      # 6 Extended-Token-Length, 32
            """));
    }

    [Fact]
    [Trait("RFC", "8323 3.3")]
    public void Leaves_out_what_equals_the_base_values()
    {
        var csm = new SignalingMachine(new StreamSettings { MaxMessageSize = 1152, AnnouncesBlockWise = false }).Open(0);

        csm.Bytes().Should().Equal(Wire.Hex("00 e1"));
    }

    [Fact]
    [Trait("RFC", "8323 5.5")]
    public void Writes_a_Release_with_everything_in_it()
    {
        var release = new CoapMessage
        {
            Code = SignalCode.Release,
            Options = [new AlternativeAddress("a.example"), new AlternativeAddress("b:1"), new HoldOff(300)],
            Payload = "bye"u8.ToArray(),
        };

        release.Bytes().Should().Equal(Wire.Hex("""
            d0 08                            # Len = 21, TKL = 0
            e4                               # 7.04 Release
            29 61 2e 65 78 61 6d 70 6c 65    # 2 Alternative-Address, "a.example"
            03 62 3a 31                      # 2 Alternative-Address, "b:1"
            22 01 2c                         # 4 Hold-Off, 300 s
            ff 62 79 65                      # "bye"
            """));
    }

    [Fact]
    [Trait("RFC", "8323 5.6")]
    public void Writes_an_Abort_with_the_bad_option_and_a_diagnostic()
    {
        var close = Wire.Opened().Abort("no", badCsmOption: 259).Should().BeOfType<CloseConnection>().Which;

        close.Messages.Should().ContainSingle().Which.Bytes().Should().Equal(Wire.Hex("""
            60         # Len = 6, TKL = 0
            e5         # 7.05 Abort
            22 01 03   # 2 Bad-CSM-Option, 259
            ff 6e 6f   # "no"
            """));
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public void Shortens_a_diagnostic_that_the_peer_would_not_take_between_two_characters()
    {
        var machine = Wire.Opened();
        machine.Receive(Wire.Read("20 e1 21 20"), 0);   // Max-Message-Size, 32
        var abort = machine.Abort(string.Concat(Enumerable.Repeat("€", 100))).SentAbort();

        abort.Bytes().Length.Should().BeLessThanOrEqualTo(32);
        Encoding.UTF8.GetString(abort.Payload.Span).Should().Be("€€€€€€€€");
    }

    [Fact]
    [Trait("RFC", "8323 5.3.1")]
    public void Drops_a_diagnostic_that_has_no_room_at_all()
    {
        var machine = Wire.Opened();
        machine.Receive(Wire.Read("20 e1 21 02"), 0);   // Max-Message-Size, 2

        var close = machine.Abort("reason").Should().BeOfType<CloseConnection>().Which;

        close.Messages.Should().ContainSingle().Which.Bytes().Should().Equal(Wire.Hex("00 e5"));
        close.Explanation.Should().Be("reason");
    }
}
