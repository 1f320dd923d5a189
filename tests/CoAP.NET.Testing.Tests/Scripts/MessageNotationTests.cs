using CoAP.Testing.Tests.Networks;

namespace CoAP.Testing.Tests.Scripts;

/// <summary>What the author of a script gets to read about a message that is not written correctly.</summary>
public sealed class MessageNotationTests
{
    [Theory]
    [InlineData("COM [0x0001] GET /x", "The message 'COM [0x0001] GET /x' begins with 'COM'. Write the type first: CON, NON, ACK, RST.")]
    [InlineData("CON GET /x", "*'CON GET /x' has no message ID after the type. Write it in brackets after one space, such as CON [0x7d34], or a name*")]
    [InlineData("CON [0x0001] GET /x {Max-Age: 60", "*has '{Max-Age: 60' in a place where it cannot be read. Write the parts that it has in this order*")]
    [InlineData("CON [0x0001] GET (Token 0x01) /x", "*has '/x' in a place where it cannot be read*")]
    [InlineData("CON [0x0001] get /x", "*has 'get /x' in a place*")]
    [InlineData("CON [0x10000] GET /x", "The message ID is '0x10000'. Write 0x0000 to 0xffff, or a name for any value.")]
    [InlineData("CON [0xZZ] GET /x", "The message ID is '0xZZ'. Write*")]
    [InlineData("CON [0x0001] POTS /x", "The code is 'POTS'. Write a method, which is GET, POST, PUT, DELETE, FETCH, PATCH, iPATCH, or a response code, such as 2.05.")]
    [InlineData("ACK [0x0001] 8.00", "The code is 8.00. Codes are 0.00 to 7.31 (RFC 7252, section 3).")]
    [InlineData("ACK [0x0001] 2.05 Changed", "The code is 2.05 with the name 'Changed', which belongs to another code or to none. Correct one of the two, or leave the name out.")]
    [InlineData("CON [0x0001] GET /x (Token 0x1)", "The token is '0x1'. Write 0x and two hexadecimal digits for each byte, such as 0x0a1b.")]
    [InlineData("CON [0x0001] GET /x {Max-Agee: 60}", "The option 'Max-Agee' is unknown. Write a name and a value, such as Max-Age: 60, or the number*If-Match, Uri-Host*")]
    [InlineData("CON [0x0001] GET /x {Max-Age:60}", "The option 'Max-Age:60' is unknown. Write a name and a value*")]
    [InlineData("CON [0x0001] GET /x {Max-Age: soon}", "The value of the option 'Max-Age' is 'soon'. Write a whole number from 0 to 4294967295.")]
    [InlineData("CON [0x0001] GET /x {Block2: 0/64}", "The value of the option 'Block2' is '0/64'. Write number/more/size, such as 0/1/64: a number below 1048576, 0 or 1, and one of 16, *, BERT.")]
    [InlineData("CON [0x0001] GET /x {Block2: 0/1/65}", "The value of the option 'Block2' is '0/1/65'*")]
    [InlineData("CON [0x0001] GET /x {65000: abc}", "The value of the option '65000' is 'abc'. Write 0x and two hexadecimal digits*")]
    public async Task A_message_that_cannot_be_read_names_the_value_and_what_is_expected(string message, string error)
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.Invoking(one => one.Send(message)).Should().Throw<FormatException>().WithMessage(error);
    }

    [Fact]
    public async Task A_variable_without_a_value_is_named()
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.Invoking(one => one.Send("ACK [M]")).Should().Throw<InvalidOperationException>().WithMessage("The variable 'M' has no value. The first message that you expect*");
    }

    [Theory]
    [InlineData("Block2: 0/0/1024", "06")]
    [InlineData("Block2: 3/1/BERT", "3f")]
    [InlineData("Block1: 1048575/1/16", "fffff8")]
    public async Task Blocks_are_written_as_RFC_7959_section_2_2_says(string option, string bytes)
    {
        await using var home = new Home();
        using var peer = new ScriptedPeer(home.World, "peer", partner: "device");

        peer.Send($"CON [0x0001] GET /x {{{option}}}");

        Convert.ToHexStringLower(home.World.Transcript.First().Bytes.Span).Should().EndWith(bytes);
    }
}
