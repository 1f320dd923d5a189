using System.IO.Compression;
using System.Text;
using System.Xml.Linq;

namespace CoAP.Packages.Tests;

/// <summary>The contents of a package.</summary>
internal sealed class Package
{
    private readonly Dictionary<string, byte[]> _files = [];

    public Package(string file)
    {
        using var archive = ZipFile.OpenRead(file);
        foreach (var entry in archive.Entries)
        {
            using var bytes = new MemoryStream();
            using (var stream = entry.Open()) { stream.CopyTo(bytes); }
            _files[entry.FullName] = bytes.ToArray();
        }
        Metadata = XDocument.Parse(Text(_files.Keys.Single(name => name.EndsWith(".nuspec", StringComparison.Ordinal)))).Root!.Elements().First();
    }

    public IReadOnlyCollection<string> Files => _files.Keys;

    /// <summary>The element "metadata" of the package's description.</summary>
    public XElement Metadata { get; }

    /// <summary>The dependencies.</summary>
    public IEnumerable<XElement> Dependencies => Metadata.Descendants().Where(static one => one.Name.LocalName == "dependency");

    public byte[] Bytes(string file) => _files[file];

    public string Text(string file) => new StreamReader(new MemoryStream(_files[file]), Encoding.UTF8).ReadToEnd();

    /// <summary>Returns a text of the metadata, or an empty one.</summary>
    public string Value(string name) => Metadata.Elements().SingleOrDefault(one => one.Name.LocalName == name)?.Value ?? "";
}
