using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>
/// Texts, bytes, extensions, arrays and maps at the bounds of their forms. The heads were computed by hand from the tables of the specification.
/// </summary>
public sealed class MessagePackLengthTests
{
    [Theory]
    [InlineData(0, "a0 d900 da0000 db00000000")]
    [InlineData(1, "a1 d901 da0001 db00000001")]
    [InlineData(31, "bf d91f da001f db0000001f")]
    [InlineData(32, "d920 da0020 db00000020")]
    [InlineData(255, "d9ff da00ff db000000ff")]
    [InlineData(256, "da0100 db00000100")]
    [InlineData(65_535, "daffff db0000ffff")]
    [InlineData(65_536, "db00010000")]
    public void A_text_has_the_shortest_head_and_is_read_with_each(int length, string heads)
    {
        var text = new string('x', length);
        var content = Convert.ToHexStringLower(Encoding.UTF8.GetBytes(text));

        MessagePackDocument.WriteHex(writer => writer.WriteText(text)).Should().Be(heads.Split(' ')[0] + content);
        MessagePackDocument.WriteHex(writer => writer.WriteUtf8(Encoding.UTF8.GetBytes(text))).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' '))
        {
            MessagePackDocument.ReadHex(head + content, static reader => reader.ReadText()).Should().Be(text);
            MessagePackDocument.ReadHex(head + content, static reader => Encoding.UTF8.GetString(reader.ReadUtf8())).Should().Be(text);
            MessagePackDocument.ReadHex(head + content, Skip).Should().Be(ItemKind.Text);
        }
    }

    [Theory]
    [InlineData(0, "c400 c50000 c600000000")]
    [InlineData(1, "c401 c50001 c600000001")]
    [InlineData(255, "c4ff c500ff c6000000ff")]
    [InlineData(256, "c50100 c600000100")]
    [InlineData(65_535, "c5ffff c60000ffff")]
    [InlineData(65_536, "c600010000")]
    public void Bytes_have_the_shortest_head_and_are_read_with_each(int length, string heads)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        var content = Convert.ToHexStringLower(bytes);

        MessagePackDocument.WriteHex(writer => writer.WriteBytes(bytes)).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' '))
        {
            MessagePackDocument.ReadHex(head + content, static reader => reader.ReadBytes()).Should().Equal(bytes);
            MessagePackDocument.ReadHex(head + content, Skip).Should().Be(ItemKind.Bytes);
        }
    }

    [Theory]
    [InlineData(0, "c700 c80000 c900000000")]
    [InlineData(1, "d4 c701 c80001 c900000001")]
    [InlineData(2, "d5 c702 c80002 c900000002")]
    [InlineData(3, "c703 c80003 c900000003")]
    [InlineData(4, "d6 c704 c80004 c900000004")]
    [InlineData(5, "c705 c80005 c900000005")]
    [InlineData(7, "c707 c80007 c900000007")]
    [InlineData(8, "d7 c708 c80008 c900000008")]
    [InlineData(15, "c70f c8000f c90000000f")]
    [InlineData(16, "d8 c710 c80010 c900000010")]
    [InlineData(17, "c711 c80011 c900000011")]
    [InlineData(255, "c7ff c800ff c9000000ff")]
    [InlineData(256, "c80100 c900000100")]
    [InlineData(65_535, "c8ffff c90000ffff")]
    [InlineData(65_536, "c900010000")]
    public void An_extension_has_the_shortest_head_and_is_read_with_each(int length, string heads)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        var content = "85" + Convert.ToHexStringLower(bytes);                       // type -123

        MessagePackDocument.WriteHex(writer => writer.WriteExtension(-123, bytes)).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' '))
        {
            var (data, type) = MessagePackDocument.ReadHex(head + content, static reader => (reader.ReadExtension(out var type), type));
            (type, Convert.ToHexStringLower(data)).Should().Be(((sbyte)-123, content[2..]));
            MessagePackDocument.ReadHex(head + content, Skip).Should().Be(ItemKind.Tagged);
        }
    }

    [Theory]
    [InlineData(0, "90 dc0000 dd00000000")]
    [InlineData(1, "91 dc0001 dd00000001")]
    [InlineData(15, "9f dc000f dd0000000f")]
    [InlineData(16, "dc0010 dd00000010")]
    [InlineData(65_535, "dcffff dd0000ffff")]
    [InlineData(65_536, "dd00010000")]
    public void An_array_has_the_shortest_head_and_is_read_with_each(int count, string heads)
    {
        var content = new string('0', 2 * count);

        MessagePackDocument.WriteHex(writer =>
        {
            writer.WriteArrayStart(count);
            writer.WriteInt32s(new int[count]);
        }).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' '))
        {
            MessagePackDocument.ReadHex(head + content, static reader => Count(reader, reader.ReadArrayStart(), itemsOfEach: 1)).Should().Be(count);
            MessagePackDocument.ReadHex(head + content, Skip).Should().Be(ItemKind.Array);
        }
    }

    [Theory]
    [InlineData(0, "80 de0000 df00000000")]
    [InlineData(1, "81 de0001 df00000001")]
    [InlineData(15, "8f de000f df0000000f")]
    [InlineData(16, "de0010 df00000010")]
    [InlineData(65_535, "deffff df0000ffff")]
    [InlineData(65_536, "df00010000")]
    public void A_map_has_the_shortest_head_and_is_read_with_each(int count, string heads)
    {
        var content = new string('0', 4 * count);

        MessagePackDocument.WriteHex(writer =>
        {
            writer.WriteMapStart(count);
            writer.WriteInt32s(new int[2 * count]);
        }).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' '))
        {
            MessagePackDocument.ReadHex(head + content, static reader => Count(reader, reader.ReadMapStart(), itemsOfEach: 2)).Should().Be(count);
            MessagePackDocument.ReadHex(head + content, Skip).Should().Be(ItemKind.Map);
        }
    }

    private static int Count(MessagePackReader reader, int? announced, int itemsOfEach)
    {
        var count = 0;
        for (; reader.MoveNext(); count++)
        {
            for (var item = 0; item < itemsOfEach; item++) { reader.ReadInt64().Should().Be(0); }
        }
        announced.Should().Be(count);
        return count;
    }

    private static ItemKind Skip(MessagePackReader reader)
    {
        var kind = reader.Peek();
        reader.Skip();
        return kind;
    }
}
