using System.Net.Sockets;
using System.Runtime.Versioning;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[SupportedOSPlatform("linux")]
public sealed class ControlMessagesTests
{
    [Theory]
    [InlineData("02 03 01", "71000000", SocketError.HostUnreachable)]
    [InlineData("02 03 03", "6F000000", SocketError.ConnectionRefused)]
    [InlineData("02 0C 00", "47000000", SocketError.ProtocolNotSupported)]
    [InlineData("03 01 00", "65000000", SocketError.NetworkUnreachable)]
    [InlineData("03 01 04", "6F000000", SocketError.ConnectionRefused)]
    [InlineData("03 04 01", "47000000", SocketError.ProtocolNotSupported)]
    [Trait("RFC", "7252 4.2")]
    public void Unreachable_and_parameter_problem_are_final(string originTypeCode, string number, SocketError expected)
    {
        TryReadError(originTypeCode, number, out var error).Should().BeTrue();

        error.Should().Be(expected);
    }

    [Theory]
    [InlineData("02 03 04", "5A000000")] // fragmentation needed
    [InlineData("02 04 00", "71000000")] // source quench
    [InlineData("02 0B 00", "71000000")] // time exceeded
    [InlineData("03 02 00", "5A000000")] // packet too big
    [InlineData("03 03 00", "71000000")] // time exceeded
    [InlineData("01 00 00", "5A000000")] // this system's own
    [Trait("RFC", "7252 4.2")]
    public void Transient_errors_are_ignored(string originTypeCode, string number) =>
        TryReadError(originTypeCode, number, out _).Should().BeFalse();

    [Fact]
    public void Reads_the_addresses_and_counts_of_a_region_one_by_one()
    {
        var cut = new ControlMessages(Bytes(
            "1400000000000000 01000000 28000000" + // 20 bytes of SOL_SOCKET, SO_RXQ_OVFL
            "07000000 00000000" +                  // seven lost, padding
            "1C00000000000000 00000000 08000000" + // 28 bytes of SOL_IP, IP_PKTINFO
            "01000000 7F000001 7F000002 00000000" + // interface, address to answer from, address in the header, padding
            "2400000000000000 29000000 32000000" + // 36 bytes of SOL_IPV6, IPV6_PKTINFO
            "FE800000000000000000000000000001 05000000 00000000"));

        cut.MoveNext().Should().BeTrue();
        (cut.Level, cut.Type, cut.Data[0]).Should().Be((1, 40, 7));
        cut.MoveNext().Should().BeTrue();
        cut.TryReadLocal(5683, out var four).Should().BeTrue();
        cut.MoveNext().Should().BeTrue();
        cut.TryReadLocal(5683, out var six).Should().BeTrue();
        cut.MoveNext().Should().BeFalse();
        (four.ToString(), six.ToString()).Should().Be(("127.0.0.2:5683", "[fe80::1%5]:5683"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1400000000000000 00000000")]                    // shorter than a header
    [InlineData("0F00000000000000 00000000 08000000 00000000")] // counts less than its header
    [InlineData("2000000000000000 00000000 08000000 00000000")] // counts more than there is
    public void A_region_that_is_cut_off_ends(string region)
    {
        var cut = new ControlMessages(Bytes(region));

        cut.MoveNext().Should().BeFalse();
    }

    private static bool TryReadError(string originTypeCode, string number, out SocketError error)
    {
        var cut = new ControlMessages(Bytes(
            "2000000000000000 00000000 0B000000" + // 32 bytes of SOL_IP, IP_RECVERR
            number + originTypeCode + "00" +
            "00000000 00000000"));
        cut.MoveNext().Should().BeTrue();
        return cut.TryReadFinalError(out error);
    }

    private static byte[] Bytes(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
}
